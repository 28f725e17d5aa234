export const applicationText = {
    new: 'An application is a product whose builds you distribute, for any number of platforms.',
    description: 'One or two sentences for people who see many applications.',
    icon: 'The icon comes from the first uploaded package that contains one. You can replace it in the settings.',
    platforms: 'Builds can be uploaded for these platforms. A platform with builds cannot be removed.',
    noPlatform: 'Select at least one platform.',
    readOnly: 'Only admins of the application can change these settings.',
    delete: 'The application moves to the trash with its builds, releases and links. Links and downloads stop working at once. An owner or admin can restore it for a few days; then it is permanently deleted.',
};
