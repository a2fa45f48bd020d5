"""The page on Gradio: the only part of the package that imports it."""
