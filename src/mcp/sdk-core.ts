/**
 * The words of the protocol, on which the SDK is built, and most of the time that it takes to load. Built as a file of
 * its own beside the binary, so that they can be loaded in another turn of the loop than the rest.
 */
// biome-ignore lint/performance/noReExportAll: the SDK decides what it needs of it
export * from '@modelcontextprotocol/core/internal';
