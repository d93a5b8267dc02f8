"""What kube-scheduler decides: filters, scores, choice of node, one attempt per pod."""
