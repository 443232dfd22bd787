export const API = '/api/v1';
export const OPERATIONS = `${API}/operations`;
export const EVENTS = `${OPERATIONS}/events`;
export const ME = `${API}/me`;
