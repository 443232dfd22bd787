import PublicCalendar from './page.tsx';

/** The public calendar in a frame on the school's website. Its links open in a tab of their own. */
export default function EmbeddedPage() {
  return (
    <div ref={tellHeight}>
      <PublicCalendar embedded />
    </div>
  );
}

/** Tells the website how high an element is, and each time that it changes. */
function tellHeight(element: HTMLElement | null) {
  const observer = new ResizeObserver(() => window.parent.postMessage({ height: element?.offsetHeight }, '*'));
  if (element) observer.observe(element);
  return () => observer.disconnect();
}
