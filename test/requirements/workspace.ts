export const workspaceRequirements: Readonly<Record<string, string>> = {};
