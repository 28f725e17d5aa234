import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadsPerDay } from './downloads-per-day.ts';
test('counts downloads by day and includes days without any', () => {
    const now = new Date(2026, 10, 22, 9).getTime();
    const at = (day, hour) => ({ created_at: new Date(2026, 10, day, hour).toISOString() });
    const days = downloadsPerDay([at(22, 8), at(22, 0), at(20, 23), at(18, 12)], 4, now);
    assert.deepEqual(days.map(({ day, count }) => `${day.getDate()}: ${count}`), ['19: 0', '20: 1', '21: 0', '22: 2']);
});
test('counts downloads on the days around a change of daylight saving time', () => {
    const now = new Date(2026, 9, 26, 12).getTime();
    const at = (day) => ({ created_at: new Date(2026, 9, day, 12).toISOString() });
    const days = downloadsPerDay([at(24), at(25), at(26)], 3, now);
    assert.deepEqual(days.map(({ count }) => count), [1, 1, 1]);
});
