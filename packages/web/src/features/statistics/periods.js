const maxDailyBars = 31;
const daysPerWeek = 7;
const dayFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
/** Divides days into the periods of a bar chart: days, or weeks that end today if there are too many days for bars. */
export function periodsOf(days) {
    const size = days.length > maxDailyBars ? daysPerWeek : 1;
    const starts = [];
    for (let end = days.length; end > 0; end -= size)
        starts.unshift(Math.max(0, end - size));
    const endOf = (index) => starts[index + 1] ?? days.length;
    return {
        unit: size === 1 ? 'day' : 'week',
        labels: starts.map((start, index) => {
            const first = formatDay(days[start]);
            return endOf(index) - start === 1 ? first : `${first} – ${formatDay(days[endOf(index) - 1])}`;
        }),
        sumsOf: (values) => starts.map((start, index) => values.slice(start, endOf(index)).reduce((sum, value) => sum + value, 0)),
    };
}
const formatDay = (day) => day === undefined ? '' : dayFormat.format(new Date(day));
