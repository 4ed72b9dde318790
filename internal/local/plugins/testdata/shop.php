<?php
// A shop with the plugin, for `php -S`: its addresses for the service and for buyers, and below /test/ what its people
// do. SHOP_FOLDER is where it stores everything, PLUGIN the plugin's main file. WORDPRESS is the folder of a WordPress
// with its database, which then takes the place of the doubles of its functions.

if ( getenv( 'WORDPRESS' ) ) {
	define( 'WP_HOME', 'http://' . $_SERVER['HTTP_HOST'] );
	define( 'WP_SITEURL', WP_HOME );
	define( 'WPMU_PLUGIN_DIR', __DIR__ . '/real' );
	require getenv( 'WORDPRESS' ) . '/wp-load.php';
} else {
	require __DIR__ . '/wordpress.php';
	require __DIR__ . '/woocommerce.php';
	require __DIR__ . '/blocks.php';
	require getenv( 'PLUGIN' );
	do_action( 'plugins_loaded' );
	do_action( 'init' );
}
do_action( 'before_woocommerce_init' );

$name = $_GET['wc-api'] ?? '';
if ( '' !== $name ) {
	ob_start();
	WC()->payment_gateways();
	status_header( has_action( "woocommerce_api_$name" ) ? 200 : 400 );
	do_action( "woocommerce_api_$name" );
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
	case '/test/pay':
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
	case '/test/settings':
		$gateway->process_admin_options();
		respond( WC_Admin_Settings::$told );
	case '/test/scheduled':
		$due = shop_schedules( fn() => array() );
		foreach ( $due as list( , $hook, $arguments ) ) {
			do_action( $hook, ...$arguments );
		}
		respond( array_map( fn( $one ) => $one[0] - time(), shop_schedules( fn( $all ) => $all ) ) );
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
		$registry = new class() {
			public $method;
			public function register( $method ) {
				$this->method = $method;
			}
		};
		do_action( 'woocommerce_blocks_payment_method_type_registration', $registry );
		$method = $registry->method;
		$method->initialize();
		respond( array( $method->get_name(), $method->is_active(), $method->get_payment_method_script_handles(), $method->get_payment_method_data() ) );
}
status_header( 404 );
