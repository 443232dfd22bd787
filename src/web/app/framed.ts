/** Whether the client is shown in a frame on another page. */
export const isFramed = (): boolean => window.self !== window.top;
