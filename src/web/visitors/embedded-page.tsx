import PublicCalendar from './page.tsx';

/** The public calendar in a frame on the school's website. Its links open in a tab of their own. */
export default function EmbeddedPage() {
  return (
    <div ref={reportHeight}>
      <PublicCalendar embedded />
    </div>
  );
}

/** Reports the height of an element to the website, and each change of it. */
function reportHeight(element: HTMLElement | null) {
  const observer = new ResizeObserver(() => window.parent.postMessage({ height: element?.offsetHeight }, '*'));
  if (element) observer.observe(element);
  return () => observer.disconnect();
}
