package screen

import (
	"reflect"
	"strings"
	"testing"

	"checkout/internal/request"
)

func TestScreenItems(t *testing.T) {
	read := func(parameters string, hosts ...string) []Item {
		return Items(&request.Session{Options: request.Options{Parameters: []byte(parameters)}}, hosts)
	}
	const items = `{"crypto":{"crypto_type":"BTC"},"card":{"descriptor":"SHOP","cart":{"items":[
		{"name":"Pen","quantity":"2","price":"1.50","currency":"EUR","sku":"1",
		 "imageUrl":"https://images.shop.example/pen.png"},
		{"price":"1.50"},
		{"name":"Ink","imageUrl":"https://other.example/ink.png"},
		{"name":"Pad","imageUrl":"http://images.shop.example/pad.png"},
		{"name":"Cap","imageUrl":"https://images.shop.example@other.example/cap.png"}]}}}`
	want := []Item{
		{Name: "Pen", Quantity: "2", Price: "1.50", Currency: "EUR", Image: "https://images.shop.example/pen.png"},
		{Name: "Ink"}, {Name: "Pad"}, {Name: "Cap"},
	}
	if got := read(items, "Images.Shop.example"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := read(items); len(got) != 4 || got[0].Image != "" {
		t.Errorf("without hosts: %+v", got)
	}
	many := `{"card":{"cart":{"items":[` + strings.Repeat(`{"name":"Pen"},`, maxScreenItems) + `{"name":"Ink"}]}}}`
	if got := read(many); len(got) != maxScreenItems {
		t.Errorf("%d items", len(got))
	}
	if got := Items(&request.Session{}, nil); got != nil {
		t.Errorf("without parameters: %+v", got)
	}
}
