<?php
/**
 * What a shop asks of a payment.
 *
 * @package Hosted_Checkout
 */

defined( 'ABSPATH' ) || exit;

/**
 * Captures, voids and refunds the payment of an order, or asks what became of it. Each runs under the order's lock.
 */
final class Hosted_Checkout_Payment {

	/**
	 * The same refund within so many seconds of another counts as one click too many.
	 */
	const DOUBLE_CLICK = 30;

	/**
	 * So long, in seconds, a repeat with the same Idempotency-Key is sure not to be done again.
	 */
	const KEY_LIFE = 82800;

	/**
	 * The order.
	 *
	 * @var WC_Order
	 */
	private $order;

	/**
	 * What is stored with it.
	 *
	 * @var Hosted_Checkout_Record
	 */
	private $record;

	/**
	 * Reads an order.
	 *
	 * @param WC_Order $order The order.
	 */
	public function __construct( WC_Order $order ) {
		$this->order  = $order;
		$this->record = new Hosted_Checkout_Record( $order );
	}

	/**
	 * Does something to the payment of an order while nobody else does.
	 *
	 * @param int    $order_id The order.
	 * @param string $what     capture, void or sync.
	 * @return true|WP_Error
	 */
	public static function run( int $order_id, string $what ) {
		return Hosted_Checkout_Lock::run(
			$order_id,
			10,
			function () use ( $order_id, $what ) {
				$payment = new self( Hosted_Checkout_Record::order( $order_id ) );
				return $payment->$what();
			}
		);
	}

	/**
	 * Asks the service for the payment of the order and applies its status.
	 *
	 * @return true|WP_Error
	 */
	public function sync() {
		$number  = $this->record->number();
		$payment = $this->record->client()->call( '/api/v1/payment/status', array( 'order_id' => $number ), array( $number ) );
		if ( is_wp_error( $payment ) ) {
			return $payment;
		}
		$session = $this->record->get( 'session' );
		$status  = $payment['status'] ?? '';
		$held    = is_array( $session ) && $session['auth'] ? 'authorised' : 'waiting';
		$known   = array(
			'settled'    => array( 'paid', 'sale', 'success' ),
			'pending'    => array( $held, 'sale', 'authorised' === $held ? 'success' : 'waiting' ),
			'decline'    => array( 'declined', 'sale', 'fail' ),
			'void'       => array( 'voided', 'void', 'success' ),
			'chargeback' => array( 'disputed', 'chargeback', 'success' ),
			'reversal'   => array( 'disputed', 'reversal', 'success' ),
			'refund'     => array( '', 'refund', 'success' ),
		);
		if ( ! isset( $known[ $status ] ) || ( $payment['order']['number'] ?? '' ) !== $number || $known[ $status ][0] === $this->record->get( 'state' ) ) {
			return true;
		}
		if ( in_array( $payment['reason_code'] ?? '', array( 'session_cancelled', 'session_expired' ), true ) ) {
			if ( is_array( $session ) ) {
				$session['until'] = 0; // the buyer has not tried to pay, and the next session is new.
				$this->record->set( 'session', $session );
			}
			return true;
		}
		$amount = (string) ( $payment['order']['amount'] ?? '' );
		if ( 'refund' === $status ) {
			$amount = Hosted_Checkout_Money::text( $this->order->get_remaining_refund_amount(), $this->order->get_currency() );
			if ( ! Hosted_Checkout_Money::is_positive( $amount ) ) {
				return true;
			}
		}
		( new Hosted_Checkout_State( $this->order ) )->apply(
			array(
				'id'           => (string) ( $payment['payment_id'] ?? '' ),
				'type'         => $known[ $status ][1],
				'status'       => $known[ $status ][2],
				'order_status' => $status,
				'amount'       => $amount,
				'currency'     => (string) ( $payment['order']['currency'] ?? '' ),
				'reason'       => (string) ( $payment['reason'] ?? '' ),
			)
		);
		return true;
	}

	/**
	 * Captures the order's amount of its authorisation.
	 *
	 * @return true|WP_Error
	 */
	public function capture() {
		$id     = $this->order->get_transaction_id();
		$amount = Hosted_Checkout_Money::text( $this->order->get_total(), $this->order->get_currency() );
		if ( ! Hosted_Checkout_Money::is_positive( $amount ) ) {
			return new WP_Error( 'hosted_checkout_refused', __( 'The order has no amount to capture.', 'hosted-checkout' ) );
		}
		$body = array(
			'payment_id' => $id,
			'amount'     => $amount,
		);
		return $this->change( 'capture', $body, array( $id, $amount ) );
	}

	/**
	 * Releases the authorisation.
	 *
	 * @return true|WP_Error
	 */
	public function void() {
		$id = $this->order->get_transaction_id();
		return $this->change( 'void', array( 'payment_id' => $id ), array( $id ) );
	}

	/**
	 * Makes a capture or void and applies or notes its outcome.
	 *
	 * @param string   $what   capture or void.
	 * @param array    $body   The fields.
	 * @param string[] $signed The texts of the hash.
	 * @return true|WP_Error
	 */
	private function change( string $what, array $body, array $signed ) {
		if ( 'authorised' !== $this->record->get( 'state' ) ) {
			return new WP_Error( 'hosted_checkout_refused', __( 'The order has no authorised payment.', 'hosted-checkout' ) );
		}
		$response = $this->record->call_once( $what, $body, $signed );
		if ( is_wp_error( $response ) ) {
			return $response;
		}
		$outcomes = array(
			'SUCCESS' => 'success',
			'FAIL'    => 'fail',
		);
		$outcome  = $outcomes[ $response['trans_status'] ?? '' ] ?? 'waiting';
		( new Hosted_Checkout_State( $this->order ) )->apply(
			array(
				'id'           => $body['payment_id'],
				'type'         => $what,
				'status'       => $outcome,
				'order_status' => (string) ( $response['status'] ?? '' ),
				'amount'       => $body['amount'] ?? '',
				'currency'     => $this->order->get_currency(),
				'reason'       => (string) ( $response['reason'] ?? '' ),
			)
		);
		return 'fail' === $outcome ? new WP_Error( 'hosted_checkout_declined', __( 'The payment provider has declined this.', 'hosted-checkout' ) ) : true;
	}

	/**
	 * Requests a refund. A repeat of one whose response was lost is the same refund.
	 *
	 * @param mixed $amount Decimal text.
	 * @return true|WP_Error True if it was accepted: its outcome is a callback.
	 */
	public function refund( $amount ) {
		$id      = $this->order->get_transaction_id();
		$amount  = Hosted_Checkout_Money::text( $amount, $this->order->get_currency() );
		$refunds = $this->record->refunds();
		if ( ! Hosted_Checkout_Money::is_positive( $amount ) ) {
			return new WP_Error( 'hosted_checkout_refused', __( 'The amount is none of the currency.', 'hosted-checkout' ) );
		}
		$at = count( $refunds );
		foreach ( $refunds as $i => $refund ) {
			if ( $refund['amount'] !== $amount ) {
				continue;
			}
			$age = time() - $refund['time'];
			if ( 'sent' !== $refund['state'] && $age < self::DOUBLE_CLICK ) {
				return new WP_Error( 'hosted_checkout_refused', __( 'The same refund was made just now. Wait a minute if you want to make another one.', 'hosted-checkout' ) );
			}
			if ( 'sent' === $refund['state'] && $age > self::KEY_LIFE ) {
				return new WP_Error( 'hosted_checkout_refused', __( 'It is still not known whether an earlier refund of this amount was made. Look at the payment in the payment service, and refund it there.', 'hosted-checkout' ) );
			}
			if ( 'sent' === $refund['state'] ) {
				$at = $i;
			}
		}
		$repeat         = isset( $refunds[ $at ] );
		$refunds[ $at ] = $refunds[ $at ] ?? array(
			'amount' => $amount,
			'state'  => 'sent',
			'key'    => wp_generate_password( 32, false ),
			'time'   => time(),
		);
		$this->record->set( 'refunds', $refunds );
		$body     = array(
			'payment_id' => $id,
			'amount'     => $amount,
		);
		$response = $this->record->client()->call( '/api/v1/payment/refund', $body, array( $id, $amount ), $refunds[ $at ]['key'] );
		if ( ! is_wp_error( $response ) ) {
			$refunds[ $at ]['state'] = 'accepted';
			$refunds[ $at ]['time']  = time();
		} elseif ( ! $repeat && 'hosted_checkout_refused' === $response->get_error_code() ) {
			array_splice( $refunds, $at, 1 ); // the refusal of a repeat does not tell what became of the first request.
		}
		$this->record->set( 'refunds', $refunds );
		return is_wp_error( $response ) ? $response : true;
	}
}
