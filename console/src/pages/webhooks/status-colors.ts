export const STATUS_COLORS = { PENDING: 'blue.8', DELIVERED: 'teal.9', FAILED: 'red.8' } as const;
