<?php
/**
 * Plugin Name: Hosted Checkout for WooCommerce
 * Description: Buyers pay on the page of your Checkout Session Service. Refunds, captures and voids from the order.
 * Version: 1.0.0
 * Requires at least: 6.2
 * Tested up to: 7.1
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 11.0
 * License: Apache-2.0
 * Text Domain: hosted-checkout
 * Domain Path: /languages
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

define( 'HOSTED_CHECKOUT_FILE', __FILE__ );

add_action(
	'before_woocommerce_init',
	function () {
		if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
			foreach ( array( 'custom_order_tables', 'cart_checkout_blocks' ) as $feature ) {
				\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( $feature, HOSTED_CHECKOUT_FILE, true );
			}
		}
	}
);

add_action(
	'init',
	function () {
		load_plugin_textdomain( 'hosted-checkout', false, dirname( plugin_basename( HOSTED_CHECKOUT_FILE ) ) . '/languages' );
	}
);

add_action(
	'plugins_loaded',
	function () {
		if ( ! class_exists( 'WC_Payment_Gateway' ) ) {
			return;
		}
		foreach ( array( 'money', 'lock', 'client', 'record', 'state', 'payment', 'look-up', 'session', 'callback', 'admin', 'gateway' ) as $part ) {
			require_once __DIR__ . "/includes/class-hosted-checkout-$part.php";
		}
		add_filter(
			'woocommerce_payment_gateways',
			function ( $gateways ) {
				$gateways[] = 'Hosted_Checkout_Gateway';
				return $gateways;
			}
		);
		Hosted_Checkout_Callback::register();
		Hosted_Checkout_Admin::register();
		Hosted_Checkout_Look_Up::register();
	}
);

add_action(
	'woocommerce_blocks_payment_method_type_registration',
	function ( $registry ) {
		require_once __DIR__ . '/includes/class-hosted-checkout-blocks.php';
		$registry->register( new Hosted_Checkout_Blocks() );
	}
);
