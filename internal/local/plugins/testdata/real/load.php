<?php
// What a real WordPress loads as its plugins: the doubles of WooCommerce, and the plugin.

require dirname( __DIR__ ) . '/woocommerce.php';
require dirname( __DIR__ ) . '/blocks.php';
require getenv( 'PLUGIN' );

// Each shop has settings of its own, in its folder.
foreach ( array( 'woocommerce_hosted_checkout_settings', 'woocommerce_manage_stock', 'woocommerce_hold_stock_minutes' ) as $name ) {
	add_filter(
		"pre_option_$name",
		function ( $other ) use ( $name ) {
			return json_decode( file_get_contents( shop_file( 'options.json' ) ), true )[ $name ] ?? $other;
		}
	);
}
add_filter(
	'pre_update_option_woocommerce_hosted_checkout_settings',
	function ( $settings, $before ) {
		file_put_contents( shop_file( 'options.json' ), json_encode( array( 'woocommerce_hosted_checkout_settings' => $settings ) ) );
		return $before;
	},
	10,
	2
);
add_filter(
	'user_has_cap',
	function ( $can ) {
		return array( 'edit_shop_orders' => 'yes' === ( $_GET['can'] ?? '' ) ) + $can;
	}
);
