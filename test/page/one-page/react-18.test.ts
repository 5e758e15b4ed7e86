/** Runs the same tests with React 18, which the `bundle` plugin of the test runner uses in place of React 19. */
import './react.test.js';
