"""The data routes and what guards them; knows nothing of gradio."""
