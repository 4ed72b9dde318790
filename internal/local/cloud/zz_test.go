package cloud
import ("testing";"encoding/json";"strings")
func TestZZ(t *testing.T){ c:=start(t,config(t))
 var out json.RawMessage
 tb:=c.TableName("Table")
 S:=func(s string)map[string]string{return map[string]string{"S":s}}
 put:=func(k string,n int)any{return map[string]any{"Put":map[string]any{"TableName":tb,"Item":map[string]any{"pk":S(k),"d":S(strings.Repeat("x",n))}}}}
 for i,items:=range [][]any{{put("a",2500),put("b",2500)},{put("d",10)},{put("b",10),put("c",10),put("e",10)},{put("b",10),put("c",10),put("e",10),put("f",10)},{put("b",10),put("c",1500),put("g",2500)}} {
 err:=c.engines.Tables().Call(t.Context(),"TransactWriteItems",map[string]any{"ReturnConsumedCapacity":"TOTAL","TransactItems":items},&out)
 t.Log(i,string(out),err)}
}
