/** The data cannot be opened, for a reason that whoever runs the service can do something about; the message says what. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
