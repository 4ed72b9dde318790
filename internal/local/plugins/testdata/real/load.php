<?php
// What a real WordPress loads before WooCommerce: the plugin, and what tests ask of a shop.

require getenv( 'PLUGIN' );

function shop_file( $name ) {
	return getenv( 'SHOP_FOLDER' ) . '/' . $name;
}

// Whatever PHP warns of in the plugin fails the request.
set_error_handler(
	function ( $level, $message, $file, $line ) {
		if ( ( error_reporting() & $level ) && 0 === strpos( $file, dirname( getenv( 'PLUGIN' ) ) ) ) {
			throw new ErrorException( $message, 0, $level, $file, $line );
		}
		return false;
	}
);

// Each shop has settings of its own, in its folder.
foreach ( array( 'hosted_checkout_settings', 'manage_stock', 'hold_stock_minutes', 'price_num_decimals' ) as $name ) {
	add_filter(
		"pre_option_woocommerce_$name",
		function ( $other ) use ( $name ) {
			return json_decode( file_get_contents( shop_file( 'options.json' ) ), true )[ "woocommerce_$name" ] ?? $other;
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
// A test may wait until somebody waits for a lock.
add_filter(
	'query',
	function ( $query ) {
		static $tried = array();
		if ( preg_match( '/^INSERT IGNORE .*(hosted_checkout_lock_\d+)/', $query, $found ) ) {
			$tried[ $found[1] ] = ( $tried[ $found[1] ] ?? 0 ) + 1;
			if ( $tried[ $found[1] ] > 1 ) {
				touch( shop_file( 'somebody-waits' ) );
			}
		}
		return $query;
	}
);

add_filter( 'locale', fn() => 'de_DE_formal' );
add_filter( 'pre_option_blogname', fn() => 'Größe &amp; &#039;Söhne&#039;' );

// Buyers go to short addresses, and what they are told is in a header.
add_filter( 'woocommerce_get_checkout_payment_url', fn( $url, $order ) => home_url( '/pay/' . $order->get_id() ), 10, 2 );
add_filter( 'woocommerce_get_checkout_order_received_url', fn( $url, $order ) => home_url( '/received/' . $order->get_id() ), 10, 2 );
add_filter(
	'woocommerce_add_notice',
	function ( $text ) {
		header( "X-Notice: notice: $text" );
		return $text;
	}
);

// Nobody gets e-mails.
add_filter( 'pre_wp_mail', '__return_true' );
add_filter( 'woocommerce_email_log_add_order_note', '__return_false' );
add_action(
	'woocommerce_email_sent',
	function ( $sent, $kind, $email ) {
		if ( preg_match( '/^customer_(processing|completed)_order$/', $kind, $found ) ) {
			file_put_contents( shop_file( 'mails.txt' ), $email->object->get_id() . " $found[1]\n", FILE_APPEND );
		}
	},
	10,
	3
);
add_filter(
	'woocommerce_logger_log_message',
	function ( $text, $level, $context ) {
		if ( 'hosted-checkout' === ( $context['source'] ?? '' ) ) {
			file_put_contents( shop_file( 'log.txt' ), "$text\n", FILE_APPEND );
		}
		return $text;
	},
	10,
	3
);

// The story of an order. Versions of WooCommerce differ in how they note the order's status and payment.
function shop_tells( $id, $note ) {
	file_put_contents( shop_file( "order-$id.txt" ), json_encode( $note ) . "\n", FILE_APPEND );
	$last_words = json_decode( file_get_contents( shop_file( 'options.json' ) ), true )['shop_dies_after'] ?? '';
	if ( $last_words && false !== strpos( $note, $last_words ) ) {
		status_header( 500 );
		exit;
	}
}
add_action(
	'woocommerce_order_note_added',
	function ( $comment, $order ) {
		$note = get_comment( $comment )->comment_content;
		if ( ! preg_match( '/Order status (set|changed)|^Payment (via|complete)/', $note ) ) {
			shop_tells( $order->get_id(), $note );
		}
	},
	10,
	2
);
add_action(
	'woocommerce_order_status_changed',
	fn( $id, $from, $to ) => shop_tells( $id, "Order status changed from $from to $to." ),
	1,
	3
);

function shop_place_order( $given ) {
	$order = new WC_Order();
	foreach ( $given['billing'] as $name => $value ) {
		$order->{"set_billing_$name"}( $value );
	}
	$order->set_currency( $given['currency'] );
	$order->set_payment_method( $given['payment_method'] );
	$order->set_order_key( $given['key'] );
	$pen = wc_get_product( wc_get_product_id_by_sku( 'pen' ) );
	if ( ! $pen ) {
		$pen = new WC_Product_Simple();
		$pen->set_props( array( 'name' => 'Pen', 'sku' => 'pen', 'regular_price' => '10.50', 'manage_stock' => true ) );
	}
	$pen->set_stock_quantity( 100 );
	$pen->save();
	$order->add_product( $pen, 1, array( 'subtotal' => $given['total'], 'total' => $given['total'] ) );
	$order->set_total( $given['total'] );
	$order->save();
	touch( shop_file( 'order-' . $order->get_id() . '.txt' ) );
	return $order->get_id();
}

function shop_read_order( $id ) {
	$order   = wc_get_order( $id );
	$meta    = array();
	$refunds = array();
	foreach ( $order->get_meta_data() as $one ) {
		$meta[ $one->key ] = $one->value;
	}
	foreach ( $order->get_refunds() as $refund ) {
		$refunds[ $refund->get_id() ] = array( 'id' => $refund->get_id(), 'amount' => $refund->get_amount(), 'asked' => $refund->get_refunded_payment() );
	}
	ksort( $refunds );
	return array(
		'id'             => $id,
		'status'         => $order->get_status(),
		'paid'           => $order->get_date_paid() || $order->get_date_completed(),
		'total'          => $order->get_total(),
		'currency'       => $order->get_currency(),
		'payment_method' => $order->get_payment_method(),
		'transaction_id' => $order->get_transaction_id(),
		'meta'           => $meta,
		'notes'          => array_map( 'json_decode', file( shop_file( "order-$id.txt" ) ) ),
		'refunds'        => array_values( $refunds ),
	);
}

// Changes what the plugin does not change.
function shop_change_order( $given ) {
	$order = wc_get_order( $given['id'] );
	$order->set_total( $given['total'] );
	$order->set_payment_method( $given['payment_method'] );
	if ( $order->meta_exists( '_hosted_checkout_refunds' ) ) {
		$order->update_meta_data( '_hosted_checkout_refunds', $given['meta']['_hosted_checkout_refunds'] );
	}
	$order->save();
}

function shop_stores_settings( $gateway ) {
	require_once WC_ABSPATH . 'includes/admin/class-wc-admin-settings.php';
	$gateway->process_admin_options();
	ob_start();
	WC_Admin_Settings::show_messages();
	preg_match_all( '#<p><strong>(.*?)</strong></p>#s', ob_get_clean(), $found );
	return $found[1];
}

// Only what is planned for orders of this shop.
function shop_schedules() {
	$all = as_get_scheduled_actions( array( 'group' => 'hosted-checkout', 'status' => 'pending', 'per_page' => -1 ) );
	return array_filter( $all, fn( $action ) => is_file( shop_file( 'order-' . $action->get_args()[0] . '.txt' ) ) );
}

function shop_runs_scheduled() {
	foreach ( array_keys( shop_schedules() ) as $action ) {
		ActionScheduler::runner()->process_action( $action );
	}
	$hours = fn( $action ) => round( ( $action->get_schedule()->get_date()->getTimestamp() - time() ) / 3600 );
	return array_values( array_map( $hours, shop_schedules() ) );
}

function shop_block() {
	$all = \Automattic\WooCommerce\Blocks\Package::container()->get( \Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry::class );
	return $all->get_registered( 'hosted_checkout' );
}
