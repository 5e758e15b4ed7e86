// jest.config.js
export default {
  testEnvironment: 'jsdom',
  transformIgnorePatterns: [
    '/node_modules/(?!(svc-speaker|lit|lit-element|lit-html|@lit|standardized-audio-context)/)',
  ],
};
