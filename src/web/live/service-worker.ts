/** Registers the service worker, if the browser does not have it yet. @returns a promise that rejects if it can't be loaded */
export const registerServiceWorker = () => navigator.serviceWorker.register('/service-worker.js');
