# How the files of this folder were made, on PyTorch 1.13 and torchvision 0.14 (make_fx, on the meta device):
#   PYTHONPATH=../../../../cmd/python python3 models.py resnet bert llama train
import sys
import torch, torch.nn as nn, torch.nn.functional as F, math
from causeway.export import export
class BertLayer(nn.Module):
    def __init__(s,d,h,ff):
        super().__init__(); s.h=h; s.qkv=nn.Linear(d,3*d); s.o=nn.Linear(d,d); s.n1=nn.LayerNorm(d); s.n2=nn.LayerNorm(d); s.f1=nn.Linear(d,ff); s.f2=nn.Linear(ff,d)
    def forward(s,x):
        b,t,d=x.shape
        q,k,v=[y.view(b,t,s.h,d//s.h).transpose(1,2) for y in s.qkv(x).chunk(3,-1)]
        a=torch.softmax(q@k.transpose(-1,-2)/math.sqrt(d//s.h),-1)@v
        x=s.n1(x+s.o(a.transpose(1,2).reshape(b,t,d)))
        return s.n2(x+s.f2(F.gelu(s.f1(x))))
class Bert(nn.Module):
    def __init__(s,layers=12,d=768):
        super().__init__(); s.w=nn.Embedding(30522,d); s.p=nn.Embedding(512,d); s.t=nn.Embedding(2,d); s.n=nn.LayerNorm(d)
        s.l=nn.ModuleList([BertLayer(d,12,4*d) for _ in range(layers)]); s.pool=nn.Linear(d,d)
    def forward(s,ids,types,pos):
        x=s.n(s.w(ids)+s.p(pos)+s.t(types))
        for l in s.l: x=l(x)
        return x,torch.tanh(s.pool(x[:,0]))
class RMS(nn.Module):
    def __init__(s,d): super().__init__(); s.weight=nn.Parameter(torch.ones(d))
    def forward(s,x):
        y=x.float(); y=y*torch.rsqrt(y.pow(2).mean(-1,keepdim=True)+1e-5)
        return s.weight*y.to(x.dtype)
def rot(x): a,b=x.chunk(2,-1); return torch.cat((-b,a),-1)
class Layer(nn.Module):
    def __init__(s,d=4096,h=32,kv=8,ff=14336):
        super().__init__(); s.h,s.kv,s.e=h,kv,d//h; L=lambda a,b: nn.Linear(a,b,bias=False)
        s.q,s.k,s.v,s.o=L(d,d),L(d,kv*s.e),L(d,kv*s.e),L(d,d); s.g,s.u,s.dn=L(d,ff),L(d,ff),L(ff,d); s.n1,s.n2=RMS(d),RMS(d)
    def forward(s,x,cos,sin,mask):
        b,t,d=x.shape; y=s.n1(x)
        q=s.q(y).view(b,t,s.h,s.e).transpose(1,2); k=s.k(y).view(b,t,s.kv,s.e).transpose(1,2); v=s.v(y).view(b,t,s.kv,s.e).transpose(1,2)
        q=q*cos+rot(q)*sin; k=k*cos+rot(k)*sin
        r=lambda z: z[:,:,None].expand(b,s.kv,s.h//s.kv,t,s.e).reshape(b,s.h,t,s.e)
        w=q@r(k).transpose(2,3)/math.sqrt(s.e)+mask
        a=torch.softmax(w,-1,dtype=torch.float32).to(q.dtype)@r(v)
        x=x+s.o(a.transpose(1,2).reshape(b,t,d))
        y=s.n2(x); return x+s.dn(F.silu(s.g(y))*s.u(y))
class Llama(nn.Module):
    def __init__(s,layers):
        super().__init__(); s.e=nn.Embedding(128256,4096); s.l=nn.ModuleList([Layer() for _ in range(layers)]); s.n=RMS(4096); s.head=nn.Linear(4096,128256,bias=False)
    def forward(s,ids):
        t=ids.shape[1]; x=s.e(ids); dev=ids.device
        f=torch.arange(64,device=dev).float(); f=1.0/(500000.0**(f/64)); p=torch.arange(t,device=dev).float()
        a=torch.outer(p,f); a=torch.cat((a,a),-1); cos,sin=a.cos().to(x.dtype),a.sin().to(x.dtype)
        mask=torch.full((t,t),float('-inf'),device=dev,dtype=x.dtype).triu(1)
        for l in s.l: x=l(x,cos,sin,mask)
        return s.head(s.n(x))
def meta(m): return m.to('meta').bfloat16().eval()
i=lambda *s: torch.zeros(s,dtype=torch.long,device='meta')
which=sys.argv[1:]
if 'resnet' in which:
    import torchvision
    export(meta(torchvision.models.resnet50()),(torch.empty(1,3,224,224,device='meta',dtype=torch.bfloat16),),'resnet50.torch.json')
if 'bert' in which: export(meta(Bert()),(i(1,128),i(1,128),i(128)),'bert.torch.json')
if 'llama' in which:
    with torch.no_grad(): export(meta(Llama(1)),(i(1,512),),'llama_layer.torch.json')
if 'train' in which:
    m=nn.Sequential(nn.Linear(64,256),nn.GELU(),nn.Linear(256,10)).to('meta')
    export(m,(torch.empty(32,64,device='meta'),),'training.torch.json',training=True)
