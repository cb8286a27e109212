export const repoRequirements: Readonly<Record<string, string>> = {};
