/** The rules of telephone numbers: large, so only where a number is on the screen. */
export const phoneRules = () => import('libphonenumber-js/min');
