export const everyToolRequirements: Readonly<Record<string, string>> = {};
