export const editorRequirements: Readonly<Record<string, string>> = {};
