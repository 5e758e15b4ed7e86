declare module 'commonmark-spec' {
  const spec: {
    /** Examples of the specification. Tabs are arrows in them. */
    readonly tests: readonly { readonly number: number; readonly markdown: string; readonly html: string }[];
  };
  export default spec;
}
