<?php
// Small doubles of WooCommerce's functions and classes. An order is a file. What was set is stored by save() alone, and
// only what was changed: another process may have changed the rest.

function shop_file( $name ) {
	return getenv( 'SHOP_FOLDER' ) . '/' . $name;
}

function shop_place_order( $order ) {
	$order['id'] = 101 + count( glob( shop_file( 'order-*.json' ) ) );
	shop_change_order( $order );
	return $order['id'];
}

function shop_read_order( $id ) {
	return json_decode( file_get_contents( WC_Order::file( $id ) ) );
}

function shop_change_order( $order ) {
	file_put_contents( WC_Order::file( $order['id'] ), json_encode( $order ) );
}

class WC_Order {
	private $data;
	private $changes    = array();
	private $meta       = array();
	private $transition = null;

	public static function file( $id ) {
		return shop_file( "order-$id.json" );
	}

	// What this process has read before: WordPress and WooCommerce cache it until this process saves it.
	private static $read = array();

	public function __construct( $id ) {
		self::$read[ $id ] = self::$read[ $id ] ?? json_decode( file_get_contents( self::file( $id ) ), true );
		$this->data        = self::$read[ $id ];
	}

	public function delete( $force ) {
		return unlink( self::file( $this->get_id() ) );
	}

	public static function forget( $id ) {
		unset( self::$read[ $id ] );
	}

	public function get_data_store() {
		return new class() {
			public function clear_cached_data( $ids ) {
				array_map( array( 'WC_Order', 'forget' ), $ids );
			}
		};
	}

	// Changes the file while nobody else does.
	private function store( $change ) {
		$lock = fopen( self::file( $this->data['id'] ) . '.lock', 'c' );
		flock( $lock, LOCK_EX );
		$stored = json_decode( file_get_contents( self::file( $this->data['id'] ) ), true );
		$stored = $change( $stored );
		file_put_contents( self::file( $this->data['id'] ) . '.new', json_encode( $stored ) );
		rename( self::file( $this->data['id'] ) . '.new', self::file( $this->data['id'] ) );
		fclose( $lock );
		return $stored;
	}

	private function value( $name ) {
		return $this->changes[ $name ] ?? $this->data[ $name ];
	}

	public function save() {
		$changes = $this->changes;
		$this->store(
			function ( $stored ) use ( $changes ) {
				return array_merge( $stored, $changes );
			}
		);
		$this->data    = array_merge( $this->data, $changes );
		$this->changes = array();
		unset( self::$read[ $this->data['id'] ] );
		$this->save_meta_data();
		$this->status_transition();
		return $this->data['id'];
	}

	public function save_meta_data() {
		$meta = $this->meta;
		$this->store(
			function ( $stored ) use ( $meta ) {
				$stored['meta'] = array_merge( $stored['meta'], $meta );
				return $stored;
			}
		);
		$this->data['meta'] = array_merge( $this->data['meta'], $meta );
		$this->meta         = array();
		$this->cache_meta();
	}

	private function cache_meta() {
		if ( isset( self::$read[ $this->data['id'] ] ) ) {
			self::$read[ $this->data['id'] ]['meta'] = $this->data['meta'];
		}
	}

	public function read_meta_data( $force = false ) {
		if ( $force ) {
			$this->data['meta'] = json_decode( file_get_contents( self::file( $this->data['id'] ) ), true )['meta'];
			$this->meta         = array();
			$this->cache_meta();
		}
	}

	public function get_meta( $key ) {
		return $this->meta[ $key ] ?? $this->data['meta'][ $key ] ?? '';
	}

	public function update_meta_data( $key, $value ) {
		$this->meta[ $key ] = $value;
	}

	public function add_order_note( $note ) {
		$this->store(
			function ( $stored ) use ( $note ) {
				$stored['notes'][] = $note;
				return $stored;
			}
		);
		$last_words = get_option( 'shop_dies_after' );
		if ( $last_words && false !== strpos( $note, $last_words ) ) {
			status_header( 500 );
			exit;
		}
		return 1;
	}

	public function set_status( $status ) {
		$from = $this->get_status();
		if ( $from !== $status ) {
			$this->transition        = array( $this->transition[0] ?? $from, $status );
			$this->changes['status'] = $status;
			if ( $this->is_paid() ) {
				$this->set_date_paid( time() );
			}
		}
	}

	public function update_status( $status ) {
		$this->set_status( $status );
		$this->save();
		return true;
	}

	private function status_transition() {
		if ( $this->transition ) {
			list( $from, $to ) = $this->transition;
			$this->transition  = null;
			do_action( "woocommerce_order_status_$to", $this->get_id(), $this, array() );
			$this->add_order_note( "Order status changed from $from to $to." );
			do_action( "woocommerce_order_status_{$from}_to_$to", $this->get_id(), $this );
			do_action( 'woocommerce_order_status_changed', $this->get_id(), $from, $to, $this );
		}
	}

	public function payment_complete( $transaction = '' ) {
		if ( $this->has_status( array( 'on-hold', 'pending', 'failed', 'cancelled' ) ) ) {
			$this->set_transaction_id( $transaction );
			$this->set_status( 'processing' );
			$this->save();
			do_action( 'woocommerce_payment_complete', $this->get_id(), $transaction );
		}
		return true;
	}

	public function has_status( $status ) {
		return in_array( $this->get_status(), (array) $status, true );
	}

	public function is_paid() {
		return $this->has_status( array( 'processing', 'completed' ) );
	}

	public function needs_payment() {
		return $this->has_status( array( 'pending', 'failed' ) ) && $this->get_total() > 0;
	}

	public function key_is_valid( $key ) {
		return $key === $this->value( 'key' );
	}

	public function get_id() {
		return $this->data['id'];
	}

	public function get_order_number() {
		return (string) $this->data['id'];
	}

	public function get_order_key() {
		return $this->value( 'key' );
	}

	public function get_status() {
		return $this->value( 'status' );
	}

	public function get_total() {
		return $this->value( 'total' );
	}

	public function get_currency() {
		return $this->value( 'currency' );
	}

	public function get_transaction_id() {
		return $this->value( 'transaction_id' );
	}

	public function set_transaction_id( $id ) {
		$this->changes['transaction_id'] = $id;
	}

	public function set_date_paid( $time ) {
		$this->changes['paid'] = null !== $time;
	}

	public function set_date_completed( $time ) {
	}

	public function get_payment_method() {
		return $this->value( 'payment_method' );
	}

	public function set_payment_method( $id ) {
		$this->changes['payment_method'] = $id;
	}

	// get_billing_email() and so on.
	public function __call( $name, $arguments ) {
		if ( 0 !== strpos( $name, 'get_billing_' ) ) {
			throw new Exception( "no method $name" );
		}
		return $this->data['billing'][ substr( $name, strlen( 'get_billing_' ) ) ] ?? '';
	}

	public function get_formatted_billing_full_name() {
		return 'Ada Lovelace';
	}

	public function get_checkout_order_received_url() {
		return home_url( '/received/' . $this->get_id() );
	}

	public function get_checkout_payment_url() {
		return home_url( '/pay/' . $this->get_id() );
	}

	public function get_refunds() {
		$stored = json_decode( file_get_contents( self::file( $this->get_id() ) ), true );
		$order  = $this;
		return array_map(
			function ( $refund ) use ( $order ) {
				return new WC_Order_Refund( $order, $refund );
			},
			array_reverse( $stored['refunds'] )
		);
	}

	// As WooCommerce computes it, with the shop's decimals.
	public function get_remaining_refund_amount() {
		$left = (float) $this->get_total();
		foreach ( $this->get_refunds() as $refund ) {
			$left -= (float) $refund->get_amount();
		}
		return number_format( $left, strlen( strrchr( $this->get_total(), '.' ) ?: '.' ) - 1, '.', '' );
	}

	public function change_refunds( $change ) {
		$this->store(
			function ( $stored ) use ( $change ) {
				$stored['refunds'] = array_values( $change( $stored['refunds'] ) );
				return $stored;
			}
		);
	}
}

class WC_Order_Refund {
	private $order;
	private $data;

	public function __construct( $order, $data ) {
		$this->order = $order;
		$this->data  = $data;
	}

	public function get_amount() {
		return $this->data['amount'];
	}

	public function save() {
		$data = $this->data;
		$this->order->change_refunds(
			function ( $refunds ) use ( $data ) {
				return array_merge( $refunds, array( $data ) );
			}
		);
	}

	public function delete( $force = false ) {
		$id = $this->data['id'];
		$this->order->change_refunds(
			function ( $refunds ) use ( $id ) {
				return array_filter(
					$refunds,
					function ( $refund ) use ( $id ) {
						return $refund['id'] !== $id;
					}
				);
			}
		);
	}
}

// The refund is stored before the payment is refunded, and deleted if that fails.
function wc_create_refund( $given ) {
	$order = wc_get_order( $given['order_id'] );
	$left  = $order->get_remaining_refund_amount();
	if ( 0 > $given['amount'] || $given['amount'] > $left ) {
		return new WP_Error( 'error', 'Invalid refund amount.' );
	}
	$data   = array(
		'id'     => random_int( 1, 1000000000 ),
		'amount' => (string) $given['amount'],
		'asked'  => $given['refund_payment'],
	);
	$refund = new WC_Order_Refund( $order, $data );
	$refund->save();
	if ( $given['refund_payment'] ) {
		$gateway = WC()->payment_gateways()->payment_gateways()[ $order->get_payment_method() ];
		$result  = $gateway->supports( 'refunds' ) ? $gateway->process_refund( $order->get_id(), $given['amount'], '' ) : false;
		if ( true !== $result ) {
			$refund->delete();
			return is_wp_error( $result ) ? $result : new WP_Error( 'error', 'An error occurred.' );
		}
	}
	if ( $left - $given['amount'] <= 0 ) {
		$order->update_status( 'refunded' );
	}
	return $refund;
}

function wc_get_order( $id ) {
	return is_file( WC_Order::file( (int) $id ) ) ? new WC_Order( (int) $id ) : false;
}

abstract class WC_Settings_API {
	public $id          = '';
	public $form_fields = array();
	public $settings    = array();
	public $errors      = array();

	public function init_settings() {
		$this->settings = (array) get_option( "woocommerce_{$this->id}_settings", array() );
	}

	public function get_option( $key ) {
		return $this->settings[ $key ] ?? $this->form_fields[ $key ]['default'];
	}

	public function add_error( $error ) {
		$this->errors[] = $error;
	}

	public function get_errors() {
		return $this->errors;
	}

	public function process_admin_options() {
		$this->init_settings();
		foreach ( array_keys( $this->form_fields ) as $key ) {
			$value = $_POST[ "woocommerce_{$this->id}_$key" ] ?? null;
			$check = "validate_{$key}_field";
			try {
				$this->settings[ $key ] = is_callable( array( $this, $check ) ) ? $this->$check( $key, $value ) : wp_unslash( (string) $value );
			} catch ( Exception $e ) {
				$this->add_error( $e->getMessage() );
			}
		}
		return update_option( "woocommerce_{$this->id}_settings", $this->settings );
	}
}

abstract class WC_Payment_Gateway extends WC_Settings_API {
	public $enabled;
	public $title;
	public $description;
	public $method_title;
	public $method_description;
	public $has_fields;
	public $supports = array( 'products' );

	public function supports( $feature ) {
		return in_array( $feature, $this->supports, true );
	}

	public function is_available() {
		return 'yes' === $this->enabled;
	}

	public function needs_setup() {
		return false;
	}

	public function can_refund_order( $order ) {
		return $order && $this->supports( 'refunds' );
	}
}

// Stores the settings of a form, and returns what people are told.
function shop_stores_settings( $gateway ) {
	$gateway->process_admin_options();
	return WC_Admin_Settings::$told;
}

class WC_Admin_Settings {
	public static $told = array();

	public static function add_error( $text ) {
		self::$told[] = $text;
	}
}

// What people are told on the next page.
class WC_Admin_Meta_Boxes {
	public static function add_error( $text ) {
		update_option( 'woocommerce_meta_box_errors', array_merge( get_option( 'woocommerce_meta_box_errors', array() ), array( $text ) ) );
	}
}

// The scheduler: actions by their hook and arguments.
function as_schedule_single_action( $time, $hook, $arguments, $group ) {
	shop_schedules( fn( $all ) => array_merge( $all, array( array( $time, $hook, $arguments ) ) ) );
}

function as_unschedule_action( $hook, $arguments, $group ) {
	shop_schedules( fn( $all ) => array_filter( $all, fn( $one ) => array( $hook, $arguments ) !== array_slice( $one, 1 ) ) );
}

function as_unschedule_all_actions( $hook, $arguments, $group ) {
	shop_schedules( fn() => array() );
}

// Runs what is planned, and returns in how many hours is what is planned then.
function shop_runs_scheduled() {
	foreach ( shop_schedules( fn() => array() ) as list( , $hook, $arguments ) ) {
		do_action( $hook, ...$arguments );
	}
	return array_map( fn( $one ) => round( ( $one[0] - time() ) / 3600 ), shop_schedules( fn( $all ) => $all ) );
}

function shop_schedules( $change ) {
	$file = fopen( shop_file( 'actions.json' ), 'c+' );
	flock( $file, LOCK_EX );
	$before = json_decode( (string) stream_get_contents( $file ), true ) ?? array();
	rewind( $file );
	ftruncate( $file, 0 );
	fwrite( $file, json_encode( array_values( $change( $before ) ) ) );
	fclose( $file );
	return $before;
}

class WooCommerce {
	public $session = true;
	private $gateways;

	public function api_request_url( $name ) {
		return home_url( "/?wc-api=$name" );
	}

	public function payment_gateways() {
		if ( ! $this->gateways ) {
			foreach ( apply_filters( 'woocommerce_payment_gateways', array() ) as $class ) {
				$gateway                        = new $class();
				$this->gateways[ $gateway->id ] = $gateway;
			}
		}
		return new class( $this->gateways ) {
			private $all;
			public function __construct( $all ) {
				$this->all = $all;
			}
			public function payment_gateways() {
				return $this->all;
			}
		};
	}
}

function WC() {
	static $only;
	$only = $only ?? new WooCommerce();
	return $only;
}

function wc_add_notice( $text, $type ) {
	if ( ! in_array( $type, array( 'error', 'notice', 'success' ), true ) ) {
		throw new Exception( "no type $type" );
	}
	header( "X-Notice: $type: $text" );
}

function wc_get_logger() {
	return new class() {
		public function warning( $text, $context ) {
			file_put_contents( shop_file( 'log.txt' ), "$text\n", FILE_APPEND );
		}
	};
}

// What a shop does with its goods: it takes them from the shelf once, and puts them back when an order is cancelled.
function shop_reduces_stock( $id ) {
	$order = wc_get_order( $id );
	if ( 'yes' !== $order->get_meta( '_order_stock_reduced' ) ) {
		$order->update_meta_data( '_order_stock_reduced', 'yes' );
		$order->save_meta_data();
		$order->add_order_note( 'Stock levels reduced: Pen (1→0)' );
	}
}

function shop_restores_stock( $id ) {
	$order = wc_get_order( $id );
	if ( 'yes' === $order->get_meta( '_order_stock_reduced' ) ) {
		$order->update_meta_data( '_order_stock_reduced', 'no' );
		$order->save_meta_data();
		$order->add_order_note( 'Stock levels increased: Pen (0→1)' );
	}
}
add_action( 'woocommerce_order_status_cancelled', 'shop_restores_stock' );

foreach ( array( 'payment_complete', 'order_status_completed', 'order_status_processing', 'order_status_on-hold' ) as $event ) {
	add_action( "woocommerce_$event", 'shop_reduces_stock' );
}

// Buyers are told by e-mail that an order is processed or complete.
foreach ( array( 'processing', 'completed' ) as $status ) {
	add_action(
		"woocommerce_order_status_$status",
		function ( $id ) use ( $status ) {
			if ( apply_filters( "woocommerce_email_enabled_customer_{$status}_order", true, wc_get_order( $id ) ) ) {
				file_put_contents( shop_file( 'mails.txt' ), "$id $status\n", FILE_APPEND );
			}
		}
	);
}

// The payment method as the checkout block has it.
function shop_block() {
	$registry = new class() {
		public $method;
		public function register( $method ) {
			$this->method = $method;
		}
	};
	do_action( 'woocommerce_blocks_payment_method_type_registration', $registry );
	$registry->method->initialize();
	return $registry->method;
}
