-- The fields of the .PKGINFO of a pacman package in their order.
alter table package_details add column pacman_info jsonb;
