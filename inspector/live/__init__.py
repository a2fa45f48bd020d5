"""A model that is asked while one looks: another sentence, another picture, a mask at once."""

from inspector.live.desk import Desk
from inspector.live.model import Model, ModelError, Question
from inspector.live.spec import read_model

__all__ = ["Desk", "Model", "ModelError", "Question", "read_model"]
