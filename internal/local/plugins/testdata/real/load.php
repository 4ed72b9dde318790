<?php
// What a real WordPress loads as its plugins: the doubles of WooCommerce, and the plugin.

require dirname( __DIR__ ) . '/woocommerce.php';
require dirname( __DIR__ ) . '/blocks.php';
require getenv( 'PLUGIN' );

// Each shop has settings of its own, in its folder.
add_filter(
	'pre_option_woocommerce_hosted_checkout_settings',
	function () {
		return json_decode( file_get_contents( shop_file( 'options.json' ) ), true )['woocommerce_hosted_checkout_settings'];
	}
);
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
		return array( 'edit_shop_order' => 'yes' === ( $_GET['can'] ?? '' ) ) + $can;
	}
);
