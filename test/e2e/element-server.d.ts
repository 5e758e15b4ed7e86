/** A page with the element: its HTML, and the headers it is sent with. */
export interface HostPage {
    readonly html: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** What `/page.js` is, for a page whose policy allows no inline script. */
    readonly script?: string;
}
/** Serves one page after the other, and beside each `/element.js`, which registers the element. */
export interface ElementServer {
    readonly port: number;
    /** The page that is served from now on. */
    page: HostPage;
    close(): void;
}
/** Starts a server on loopback. */
export declare function startElementServer(): Promise<ElementServer>;
