<?php
// A shop with the plugin, for `php -S`: its addresses for the service and for buyers, and below /test/ what its people
// do. SHOP_FOLDER is where it stores everything, PLUGIN the plugin's main file. WORDPRESS is the folder of a WordPress
// with its database, in which WooCommerce is active; else there are doubles of both.

$api = $_GET['wc-api'] ?? '';
define( 'WP_ADMIN', 'yes' === ( $_GET['admin'] ?? '' ) );
if ( getenv( 'WORDPRESS' ) ) {
	define( 'WP_HOME', 'http://' . $_SERVER['HTTP_HOST'] );
	define( 'WP_SITEURL', WP_HOME );
	define( 'WPMU_PLUGIN_DIR', __DIR__ . '/real' );
	require getenv( 'WORDPRESS' ) . ( '' === $api ? '/wp-load.php' : '/wp-blog-header.php' );
} else {
	require __DIR__ . '/wordpress.php';
	require __DIR__ . '/woocommerce.php';
	require __DIR__ . '/blocks.php';
	require getenv( 'PLUGIN' );
	do_action( 'plugins_loaded' );
	do_action( 'init' );
	do_action( 'before_woocommerce_init' );
}

if ( '' !== $api ) {
	ob_start();
	WC()->payment_gateways();
	status_header( has_action( "woocommerce_api_$api" ) ? 200 : 400 );
	do_action( "woocommerce_api_$api" );
	ob_end_clean();
	die( '-1' );
}

function respond( $value ) {
	if ( is_wp_error( $value ) ) {
		$value = array( 'error' => $value->get_error_message() );
	}
	header( 'Content-Type: application/json' );
	echo json_encode( $value );
	exit;
}

$id      = (int) ( $_GET['id'] ?? 0 );
$gateway = WC()->payment_gateways()->payment_gateways()['hosted_checkout'];
switch ( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) ) {
	case '/test/order':
		respond( shop_place_order( json_decode( file_get_contents( 'php://input' ), true ) ) );
	case '/test/read':
		respond( shop_read_order( $id ) );
	case '/test/change':
		respond( shop_change_order( json_decode( file_get_contents( 'php://input' ), true ) ) );
	case '/test/delete':
		respond( wc_get_order( $id )->delete( true ) );
	case '/test/lock':
		respond( $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')", "hosted_checkout_lock_$id", $_GET['since'] . ' another' ) ) );
	case '/test/unlock':
		respond( $wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->options} WHERE option_name = %s AND option_value < %s", "hosted_checkout_lock_$id", '9' ) ) );
	case '/test/pay':
		wc_get_order( $id )->get_status(); // as the checkout has done before.
		respond( $gateway->process_payment( $id ) );
	case '/test/refund':
		$refund = wc_create_refund(
			array(
				'order_id'       => $id,
				'amount'         => $_GET['amount'],
				'refund_payment' => true,
			)
		);
		respond( is_wp_error( $refund ) ? $refund : array( 'amount' => $refund->get_amount() ) );
	case '/test/status':
		respond( wc_get_order( $id )->update_status( $_GET['to'] ) );
	case '/test/action':
		$actions = apply_filters( 'woocommerce_order_actions', array(), wc_get_order( $id ) );
		if ( isset( $_GET['do'] ) ) {
			do_action( 'woocommerce_order_action_hosted_checkout_' . $_GET['do'], wc_get_order( $id ) );
		}
		respond( array_keys( $actions ) );
	case '/test/told':
		$told = get_option( 'woocommerce_meta_box_errors', array() );
		delete_option( 'woocommerce_meta_box_errors' );
		respond( $told );
	case '/test/links':
		respond( apply_filters( 'plugin_action_links_' . plugin_basename( getenv( 'PLUGIN' ) ), array( 'another' ) ) );
	case '/test/settings':
		respond( shop_stores_settings( $gateway ) );
	case '/test/scheduled':
		respond( shop_runs_scheduled() );
	case '/test/link':
		respond( $gateway->get_transaction_url( wc_get_order( $id ) ) );
	case '/test/uninstall':
		define( 'WP_UNINSTALL_PLUGIN', getenv( 'PLUGIN' ) );
		require dirname( getenv( 'PLUGIN' ) ) . '/uninstall.php';
		respond( true );
	case '/test/available':
		respond( $gateway->is_available() );
	case '/test/money':
		$texts = array();
		foreach ( json_decode( file_get_contents( 'php://input' ), true ) as list( $amount, $currency ) ) {
			$texts[] = Hosted_Checkout_Money::text( $amount, $currency );
		}
		respond( $texts );
	case '/test/blocks':
		$method = shop_block();
		respond( array( $method->get_name(), $method->is_active(), $method->get_payment_method_script_handles(), $method->get_payment_method_data() ) );
}
status_header( 404 );
