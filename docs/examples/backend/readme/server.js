// #region readme
import express from 'express';
import { createSpeechBackend, nodeHandler } from 'svc-speaker/backend.js';

const { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } = process.env;
const authorize = (request) => isLoggedIn(request); // yours: a cookie, a session, a header
const app = express().use('/speech', nodeHandler(createSpeechBackend({ baseUrl, apiKey, authorize })));
// #endregion

export { app };
