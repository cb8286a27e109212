/** All that needs the MCP SDK. Built as a file of its own beside the binary, and loaded when it is needed. */
export { serveStdio } from '@modelcontextprotocol/server/stdio';
export { createApprovalDesk } from './approval';
export { openHttp } from './http';
export { createHttpLane } from './lane/http-lane';
export { createServerFactory } from './server';
