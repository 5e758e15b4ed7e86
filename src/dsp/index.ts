/** Pure signal processing: no thread, no clock, no Web Audio. Code that runs per quantum allocates nothing. */
export { raisedCosine } from './ramp.js';
export { createResampler, type Resampler } from './resampler.js';
export {
  designResampler,
  ecoResampler,
  fillSincRow,
  type ResamplerOptions,
  type ResamplerTable,
} from './resampler-table.js';
export { TimeStretch } from './time-stretch.js';
