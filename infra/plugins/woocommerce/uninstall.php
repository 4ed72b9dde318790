<?php
/**
 * Removes the settings, locks and planned looks. What is stored with orders stays: they may have to be refunded.
 *
 * @package Hosted_Checkout
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'woocommerce_hosted_checkout_settings' );
$GLOBALS['wpdb']->query( "DELETE FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE 'hosted\\_checkout\\_lock\\_%'" );
if ( function_exists( 'as_unschedule_all_actions' ) ) {
	as_unschedule_all_actions( '', array(), 'hosted-checkout' );
}
