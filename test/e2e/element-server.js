import { createServer } from 'node:http';
import { build } from 'esbuild';
/** Starts a server on loopback. */
export async function startElementServer() {
    const { outputFiles } = await build({
        entryPoints: ['src/define.ts'],
        bundle: true,
        format: 'esm',
        target: 'es2022',
        write: false,
        logLevel: 'warning',
    });
    const element = outputFiles[0].text;
    const http = createServer((request, response) => {
        const { html, headers, script = '' } = server.page;
        const scripts = { '/element.js': element, '/page.js': script };
        const body = scripts[request.url];
        response.writeHead(200, { 'Content-Type': body === undefined ? 'text/html' : 'text/javascript', ...headers });
        response.end(body ?? html);
    });
    await new Promise((resolve) => {
        http.listen(0, '127.0.0.1', resolve);
    });
    const server = {
        port: http.address().port,
        page: { html: '' },
        close: () => {
            http.closeAllConnections();
            http.close();
        },
    };
    return server;
}
//# sourceMappingURL=element-server.js.map