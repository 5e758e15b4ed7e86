import 'svc-speaker/define.js';
