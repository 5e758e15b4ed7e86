// app/routes.js
import { index, route } from '@react-router/dev/routes';

export default [index('home.jsx'), route('speech/*', 'speech-route.js')];
