/** The same tests with React 18, which the test runner's `bundle` plugin uses in place of React 19. */
import './react.test.js';
