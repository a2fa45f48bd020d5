// Mouse, pen and finger on the canvas: wheel zooms, drag pans, the divider of a swipe is dragged.

const GRIP = 14; // page pixels around the divider that take hold of it

export function listenToPointer(stage, { isSwipe, moved }) {
  const { canvas } = stage;
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!stage.current) return;
      event.preventDefault();
      stage.zoomAt(Math.exp(-event.deltaY * 0.002), { x: event.offsetX, y: event.offsetY });
      moved();
    },
    { passive: false },
  );
  let last = null;
  let divider = false;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    last = { x: event.clientX, y: event.clientY };
    const place = stage.split * canvas.clientWidth;
    divider = isSwipe() && Math.abs(event.offsetX - place) <= GRIP;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!last) return;
    if (divider) {
      const box = canvas.getBoundingClientRect();
      stage.split = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    } else {
      stage.pan(event.clientX - last.x, event.clientY - last.y);
    }
    last = { x: event.clientX, y: event.clientY };
    moved();
  });
  const end = () => {
    last = null;
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}
