// Shows the public calendar of a school on its website, where this stands:
// <script src="https://…/embed.js" data-school="…" async></script>
const script = document.currentScript;
const frame = document.createElement('iframe');
frame.src = new URL(`/embed/${encodeURIComponent(script.dataset.school)}`, script.src).href;
frame.title = script.dataset.title ?? 'Calendar';
frame.loading = 'lazy';
Object.assign(frame.style, { width: '100%', height: '40rem', border: '0' });
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow && Number.isFinite(data?.height)) frame.style.height = `${data.height}px`;
});
script.replaceWith(frame);
