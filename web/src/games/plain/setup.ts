// How a game was set up, in words. Lists have no use for it, so it is no part of what they load.

/** "Set-up: heaps 3,5,7, misere true." */
export function setupLine(setup: Record<string, unknown>): string {
  const chosen = Object.entries(setup).map(([key, value]) => `${key.replaceAll('_', ' ')} ${value}`);
  return `Set-up: ${chosen.join(', ')}.`;
}
