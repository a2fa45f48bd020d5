"""The plain route, as a baseline: the server draws the overlay into ``gr.Image``.

Run as ``python -m benchmarks.plain_route DATASET RUN PORT``.
"""

from __future__ import annotations

import sys

import cv2
import gradio as gr
import numpy as np

from inspector.formats.request import LoadRequest
from inspector.workspace import open_workspace

KEYS = """<script>
document.addEventListener('keydown', (event) => {
  const id = {ArrowRight: 'next', ArrowLeft: 'previous'}[event.key];
  if (id) document.getElementById(id).click();
});
</script>"""


def main(dataset_path: str, run_path: str, port: int) -> None:
    """Serve the baseline."""
    workspace = open_workspace(LoadRequest(dataset_path), [f"run={run_path}"])
    dataset, run = workspace.dataset, workspace.scores[0].run

    def draw(index: int) -> np.ndarray:
        example = dataset[index]
        picture = cv2.cvtColor(cv2.imread(str(example.image.location)), cv2.COLOR_BGR2RGB)
        truth = example.target.to_array()
        prediction = run.masks[int(run.rows[index])].to_array()
        for pixels, colour in (
            (truth & prediction, (255, 255, 255)), (prediction & ~truth, (213, 94, 0)),
            (truth & ~prediction, (0, 114, 178)),
        ):
            picture[pixels] = (picture[pixels] * 0.4 + np.array(colour) * 0.6).astype(np.uint8)
        return picture

    def turn(index: int, step: int) -> tuple[int, np.ndarray, str]:
        index = (int(index) + step) % len(dataset)
        return index, draw(index), dataset[index].expression.sentence

    with gr.Blocks(analytics_enabled=False) as page:
        index = gr.State(0)
        image = gr.Image(elem_id="view", buttons=[], height=480)
        words = gr.Markdown()
        outputs = [index, image, words]
        options = {"outputs": outputs, "show_progress": "hidden", "trigger_mode": "multiple"}
        gr.Button("Previous", elem_id="previous").click(lambda i: turn(i, -1), index, **options)
        gr.Button("Next", elem_id="next").click(lambda i: turn(i, 1), index, **options)
        page.load(lambda i: turn(i, 0), index, **options)
    page.launch(
        server_name="127.0.0.1", server_port=port, head=KEYS, quiet=True, run_history=False
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
