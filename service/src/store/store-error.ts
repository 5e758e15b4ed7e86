/** Error for data that cannot be opened for a reason that the operator can fix. The message says how. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Error for a data folder that another process holds. */
export class FolderInUseError extends StoreError {
  override readonly name = 'FolderInUseError';
}
