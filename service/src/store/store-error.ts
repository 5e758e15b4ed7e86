/** The data cannot be opened, for a reason that the operator can remove; the message says how. */
export class StoreError extends Error {
  override readonly name: string = 'StoreError';
}

/** Another process has the data folder. */
export class FolderInUseError extends StoreError {
  override readonly name = 'FolderInUseError';
}
