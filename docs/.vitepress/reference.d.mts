/**
 * Writes a page for each module that package.json exports, and one for each element.
 *
 * @returns {Promise<string[]>} A line for each public symbol without documentation.
 */
export declare function writeReference(): Promise<string[]>;
/**
 * Writes a page for each module.
 *
 * @param {string[]} entryPoints - Paths of declaration files.
 * @param {{ out: string, name: string, elements: any[] }} options - Folder of the pages, name of the page of
 *   `index.d.ts`, and elements in the manifest, whose members and events document those of interfaces made from them.
 * @returns {Promise<string[]>} A line for each public symbol without documentation.
 */
export declare function writeModules(
  entryPoints: string[],
  {
    out,
    name,
    elements,
  }: {
    out: string;
    name: string;
    elements: any[];
  },
): Promise<string[]>;
/** Entries of an element's lists that have no description. */
export declare function undescribed(element: any): any[];
