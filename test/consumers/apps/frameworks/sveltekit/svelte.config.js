// `vite preview` needs no adapter.
export default {};
