export const API = '/api/v1';
export const OPERATIONS = `${API}/operations`;
export const EVENTS = `${OPERATIONS}/events`;
export const MESSAGES = `${OPERATIONS}/messages`;
export const MESSAGE = `${MESSAGES}/:message_id`;
export const PUBLIC_SCHOOL = `${API}/public/schools/:school_id`;
export const ME = `${API}/me`;
