export const insightsRanges = [7, 30, 90, 365];
export const defaultRange = 30;
/** Reads the period of the charts from the URL. */
export const insightsSearch = (search) => ({
    days: insightsRanges.find((days) => days === Number(search['days'])),
});
